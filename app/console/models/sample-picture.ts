/** A valid image of 32 × 18 pixels, small enough to keep code samples readable. */
export const SAMPLE_PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAASAgMAAABHpjTBAAAADFBMVEW/2Ohbhqb///8AAAATt2prAAAAKklEQVR42mNgIBusaoAxYCIrQEQoECwFYjBjKpSxatVUCCNrFUwqlEgGACizHEmk3TK0AAAAAElFTkSuQmCC';
