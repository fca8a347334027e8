'use client';

import { Maximize, Pause, Play, Repeat, Volume2, VolumeX } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type ComponentType, type CSSProperties } from 'react';
import { classNames } from '../components/ui/class-names';

const STEP_SECONDS = 1;

/** A video player with keyboard control: space plays, arrows seek by a second, comma and period by a frame. */
export function Player({
  source,
  title,
  width,
  height,
  fps,
  onBroken,
}: {
  readonly source: string;
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  onBroken(): void;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [playing, setPlaying] = useState(false);
  const [muted, setMuted] = useState(true);
  const [loop, setLoop] = useState(true);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(0);
  const broken = useEffectEvent(onBroken);

  useEffect(() => {
    // The metadata may have loaded before hydration.
    const request = requestAnimationFrame(() => {
      const { duration = 0, error } = video.current ?? {};
      if (duration > 0) setLength(duration);
      if (error) broken();
    });
    // Muted at first, and paused if the user prefers reduced motion.
    if (!window.matchMedia('(prefers-reduced-motion: reduce)').matches)
      void video.current?.play().catch(() => undefined);
    return () => cancelAnimationFrame(request);
  }, [source]);

  useEffect(() => {
    if (!playing) return;
    // `timeupdate` fires only four times a second, so the bar would jump.
    let request = 0;
    const follow = () => {
      setAt(video.current?.currentTime ?? 0);
      request = requestAnimationFrame(follow);
    };
    request = requestAnimationFrame(follow);
    return () => cancelAnimationFrame(request);
  }, [playing]);

  const toggle = () => {
    const element = video.current;
    if (element?.paused) void element.play().catch(() => undefined);
    else element?.pause();
  };
  const seek = (seconds: number) => {
    const element = video.current;
    if (!element) return;
    element.currentTime = Math.max(0, Math.min(seconds, element.duration || 0));
    setAt(element.currentTime);
  };
  const stepFrame = (by: number) => {
    video.current?.pause();
    seek((video.current?.currentTime ?? 0) + by / fps);
  };

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const isSlider = event.target instanceof HTMLInputElement;
    const isButton = event.target instanceof HTMLButtonElement;
    const now = video.current?.currentTime ?? 0;
    const acts: Readonly<Record<string, (() => void) | undefined>> = {
      // Focused buttons and sliders keep their own keys.
      ' ': isButton ? undefined : toggle,
      ArrowLeft: isSlider ? undefined : () => seek(now - STEP_SECONDS),
      ArrowRight: isSlider ? undefined : () => seek(now + STEP_SECONDS),
      ',': () => stepFrame(-1),
      '.': () => stepFrame(1),
      m: () => setMuted((was) => !was),
      l: () => setLoop((was) => !was),
      f: fullscreen,
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });

  useEffect(() => {
    const element = frame.current;
    const onKeyDown = (event: KeyboardEvent) => press(event);
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, []);

  useEffect(() => {
    if (video.current) video.current.muted = muted;
  }, [muted]);

  function fullscreen() {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void frame.current?.requestFullscreen().catch(() => undefined);
  }

  return (
    <div
      ref={frame}
      data-player
      className="group/player flex flex-col overflow-hidden rounded-xl border border-line bg-surface has-[>button:focus-visible]:border-accent [&:fullscreen]:rounded-none [&:fullscreen]:border-0"
    >
      <button
        type="button"
        aria-label={`${playing ? 'Pause' : 'Play'} ${title}`}
        aria-keyshortcuts="Space ArrowLeft ArrowRight , . M L F"
        title="Space: play or pause. Arrow keys: 1 second. Comma and period: 1 frame."
        onClick={toggle}
        className="grid min-h-0 grow place-items-center overflow-hidden bg-[oklch(0.13_0_0)] focus-visible:-outline-offset-2"
      >
        <video
          ref={video}
          src={source}
          muted
          loop={loop}
          playsInline
          preload="auto"
          tabIndex={-1}
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onLoadedMetadata={(event) => setLength(event.currentTarget.duration)}
          onSeeked={(event) => setAt(event.currentTarget.currentTime)}
          onError={onBroken}
          // Reserves the aspect ratio before the video loads.
          style={{ aspectRatio: `${width} / ${height}` }}
          className="max-h-[56dvh] w-full max-w-full object-contain group-[&:fullscreen]/player:max-h-none"
        />
      </button>
      <div className="flex items-center gap-1 border-t border-line px-2 py-1.5">
        <Control label={playing ? 'Pause' : 'Play'} icon={playing ? Pause : Play} onClick={toggle} />
        <span className="min-w-20 shrink-0 pr-1.5 pl-0.5 text-2xs text-muted tabular-nums">
          {seconds(at)} / {seconds(length)}
        </span>
        <input
          type="range"
          aria-label="Position"
          aria-valuetext={`${at.toFixed(1)} of ${length.toFixed(1)} seconds`}
          min={0}
          max={length || 1}
          step={1 / fps}
          value={at}
          onChange={(event) => seek(Number(event.target.value))}
          // Safe: a custom property; React's type knows the standard ones only.
          style={{ '--part': `${(length === 0 ? 0 : at / length) * 100}%` } as CSSProperties}
          className="h-6 min-w-0 grow cursor-pointer appearance-none bg-transparent [&::-webkit-slider-runnable-track]:h-1 [&::-webkit-slider-runnable-track]:rounded-full [&::-webkit-slider-runnable-track]:bg-[linear-gradient(to_right,var(--ink)_var(--part),var(--line-strong)_var(--part))] [&::-webkit-slider-thumb]:-mt-1 [&::-webkit-slider-thumb]:size-3 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-ink [&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-ink [&::-moz-range-track]:h-1 [&::-moz-range-track]:bg-line-strong"
        />
        <Control
          label={loop ? 'Turn off repeat' : 'Repeat'}
          icon={Repeat}
          pressed={loop}
          onClick={() => setLoop(!loop)}
        />
        <Control label={muted ? 'Unmute' : 'Mute'} icon={muted ? VolumeX : Volume2} onClick={() => setMuted(!muted)} />
        <Control label="Full screen" icon={Maximize} onClick={fullscreen} />
      </div>
    </div>
  );
}

function Control({
  label,
  icon: Icon,
  pressed,
  onClick,
}: {
  readonly label: string;
  readonly icon: ComponentType<{ size: number; 'aria-hidden': 'true' }>;
  readonly pressed?: boolean;
  onClick(): void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      onClick={onClick}
      className={classNames(
        'grid size-8 shrink-0 place-items-center rounded-md transition-colors hover:bg-hover max-sm:size-11',
        pressed === true ? 'text-accent' : 'text-muted hover:text-ink',
      )}
    >
      <Icon size={15} aria-hidden="true" />
    </button>
  );
}

function seconds(time: number): string {
  return `${Math.floor(time / 60)}:${(time % 60).toFixed(1).padStart(4, '0')}`;
}
