'use client';

import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Mode } from '../../../lib/domain/video';
import { useUrlState } from '../components/ui/use-url-state';
import type { ShownModel, VideoForm } from '../components/video-form/form';
import type { Imported } from '../components/video-form/import-request';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import { beginning, imported, type Work } from './beginning';
import { draftText, keepDraft, parseDraft } from './draft';

const never = () => () => undefined;

/** Returns the form to start with: from the URL, otherwise the draft of this tab. */
export function useBeginning(
  wanted: Readonly<Record<string, unknown>> | undefined,
  models: readonly ShownModel[],
): Work {
  const draft = useSyncExternalStore(never, draftText, () => null);
  return useMemo(() => beginning(wanted, parseDraft(draft), models), [wanted, draft, models]);
}

export interface VideoDraft extends Work {
  /** Changes the form. The notes stay until the call brings others, or the model changes. */
  edit(form: VideoForm, notes?: readonly string[]): void;
  /** Fills the form with another request. */
  replace(request: Imported): void;
  dismissNotes(): void;
}

export interface VideoDraftOptions {
  readonly mode: Mode;
  readonly models: readonly ShownModel[];
  /** Request fields from the URL to start with. */
  readonly wanted: Readonly<Record<string, unknown>> | undefined;
  /** The id of a video whose request fills the form. */
  readonly from: string | undefined;
  /** Called at each change of the form by the user. */
  onChange(): void;
}

/** The form of the playground with its notes. The tab stores the form, and the URL contains its model. */
export function useVideoDraft({ mode, models, wanted, from, onChange }: VideoDraftOptions): VideoDraft {
  const { change } = useUrlState();
  const begun = useBeginning(wanted, models);
  const [worked, setWorked] = useState<Work>();
  const work = worked ?? begun;

  // Stores only user changes: the initial form must not overwrite the draft before it is read.
  useEffect(() => worked && keepDraft(worked.form), [worked]);
  useEffect(() => {
    // The form now contains the fields; in the URL they would overwrite later changes.
    const names = Object.keys(wanted ?? {}).filter((name) => name !== 'model');
    change(Object.fromEntries(['request', ...names].map((name) => [name, undefined])), 'replace');
  }, [wanted, change]);
  useEffect(() => {
    const [first] = models;
    if (from === undefined || !first) return;
    let isLeft = false;
    ask<Readonly<Record<string, unknown>>>(apiPaths.videoRequest(from, mode)).then(
      (body) => {
        if (isLeft) return;
        setWorked({ ...imported(body, models, first), notes: [] });
        change({ from: undefined }, 'replace');
      },
      // The request of a deleted video, or of one in the other mode, cannot be read; the form stays as it is.
      () => !isLeft && change({ from: undefined }, 'replace'),
    );
    return () => {
      isLeft = true;
    };
  }, [from, models, mode, change]);

  function set(next: Work) {
    onChange();
    setWorked(next);
    change({ model: next.form.modelId }, 'replace');
  }

  return {
    ...work,
    edit(form, notes = []) {
      const isOther = form.modelId !== work.form.modelId;
      set({ form, notes: notes.length > 0 || isOther ? notes : work.notes, left: isOther ? [] : work.left });
    },
    replace: (request) => set({ ...request, notes: [] }),
    dismissNotes: () => set({ form: work.form, notes: [], left: [] }),
  };
}
