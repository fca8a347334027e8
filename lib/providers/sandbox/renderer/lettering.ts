import { createRequire } from 'node:module';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import type { SKRSContext2D } from '@napi-rs/canvas';

// Fonts. The interface's font is shipped with the project, so that a picture looks the same on every machine. Other
// scripts use the machine's own fonts, and characters without a font are dropped with a notice.

const subsets = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'];
const family = (subset: string) => `Patchbay Sans ${subset}`;
const monoFamily = 'Patchbay Mono';
/**
 * A machine can have thousands of fonts, and the canvas tries each of the list for a letter that the earlier ones lack.
 */
const MAX_MACHINE_FONTS = 80;

export interface Lettering {
  /** Font lists for a canvas `font`: text in any script, and figures of equal width. */
  readonly text: string;
  readonly figures: string;
}

/** Registers the fonts for this thread's canvases. Safe to repeat. */
export function loadLettering(): Lettering {
  const machine = GlobalFonts.families.map((font) => font.family);
  if (!machine.includes(family('latin'))) {
    // Packages resolve from any folder of the project, so also from this file's folder in the build.
    const { resolve } = createRequire(__filename);
    for (const subset of subsets) {
      GlobalFonts.registerFromPath(
        resolve(`@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`),
        family(subset),
      );
    }
    GlobalFonts.registerFromPath(
      resolve('@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'),
      monoFamily,
    );
  }
  const others = machine.filter((name) => !name.startsWith('Patchbay ')).slice(0, MAX_MACHINE_FONTS);
  const list = (names: readonly string[]) => names.map((name) => `"${name.replaceAll('"', '')}"`).join(', ');
  return { text: list([...subsets.map(family), ...others]), figures: list([monoFamily, family('latin')]) };
}

/** Sets the font of a canvas. `sizePixels` is the em size, `weight` 100 to 900. */
export function setFont(brush: SKRSContext2D, families: string, sizePixels: number, weight: number): void {
  brush.font = `${sizePixels}px ${families}`;
  // These are variable fonts: with the word "bold" the canvas would embolden the regular letters artificially.
  brush.fontVariationSettings = `"wght" ${weight}`;
}

/**
 * Wraps text into lines of at most `widthPixels` in the brush's font: between words if possible, otherwise within a
 * word.
 */
export function wrap(brush: SKRSContext2D, text: string, widthPixels: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (brush.measureText(longer).width <= widthPixels) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    // Scripts without spaces, and URLs, are one long word.
    for (const letter of letters(word)) {
      if (line !== '' && brush.measureText(line + letter).width > widthPixels) {
        lines.push(line);
        line = '';
      }
      line += letter;
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Returns the text without characters that no font has, and whether there were any. */
export function dropUndrawable(text: string, lettering: Lettering): { text: string; dropped: boolean } {
  const seen = new Map<string, boolean>();
  const side = 24;
  const brush = createCanvas(side * 2, side * 2).getContext('2d');
  brush.textBaseline = 'middle';
  const shape = (letter: string) => {
    brush.clearRect(0, 0, side * 2, side * 2);
    setFont(brush, lettering.text, side, 400);
    brush.fillText(letter, side / 2, side);
    return Buffer.from(brush.canvas.data()).toString('latin1');
  };
  // U+10FFFF is permanently a noncharacter, so no font has it: its shape is the box for a missing glyph.
  const missing = shape('\u{10ffff}');
  let dropped = false;
  let kept = '';
  for (const letter of letters(text)) {
    const plain = /^[\s\u0020-\u024f]+$/u.test(letter);
    const drawable = plain || (seen.get(letter) ?? shape(letter) !== missing);
    seen.set(letter, drawable);
    if (drawable) kept += letter;
    else if (!kept.endsWith('…')) kept += '…';
    dropped ||= !drawable;
  }
  return { text: kept, dropped };
}

function letters(text: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map((part) => part.segment);
}
