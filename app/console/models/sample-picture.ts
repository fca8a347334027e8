/** A boat of 32 by 18 pixels: so small that code with it can be read, and a real picture, so that the code runs as it stands. */
export const SAMPLE_PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAASAgMAAABHpjTBAAAADFBMVEW/2Ohbhqb///8AAAATt2prAAAAKklEQVR42mNgIBusaoAxYCIrQEQoECwFYjBjKpSxatVUCCNrFUwqlEgGACizHEmk3TK0AAAAAElFTkSuQmCC';
