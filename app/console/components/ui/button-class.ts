import { classNames } from './class-names';

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger';

const variants: Readonly<Record<Variant, string>> = {
  primary: 'bg-ink text-inverse hover:opacity-88 active:opacity-80',
  secondary: 'border border-line-strong bg-surface text-ink hover:bg-hover',
  quiet: 'text-muted hover:bg-hover hover:text-ink',
  danger: 'bg-bad text-inverse hover:opacity-88 active:opacity-80',
};

const base =
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-lg font-medium whitespace-nowrap transition-[background-color,opacity,color] duration-150 disabled:opacity-55 disabled:pointer-events-none aria-disabled:opacity-55 aria-busy:cursor-default [&_svg]:shrink-0';

const sizes = {
  regular: 'h-9 px-3.5 text-sm max-sm:h-11',
  small: 'h-8 px-2.5 text-xs max-sm:h-10',
  icon: 'size-8 max-sm:size-11',
} as const;

export interface ButtonStyle {
  readonly variant?: Variant;
  readonly size?: keyof typeof sizes;
}

/** Returns the class names of a button, for links that look like buttons. */
export function buttonClass({ variant = 'secondary', size = 'regular' }: ButtonStyle, extra?: string): string {
  return classNames(base, variants[variant], sizes[size], extra);
}
