'use client';

import dynamic from 'next/dynamic';

// A page shows one workbench, so each is a separate chunk.

export const VideoWorkbench = dynamic(() => import('./video-workbench').then((module) => module.VideoWorkbench));
export const MessagesWorkbench = dynamic(() =>
  import('./messages-workbench').then((module) => module.MessagesWorkbench),
);
export const ListenWorkbench = dynamic(() => import('./speech-workbench').then((module) => module.ListenWorkbench));
export const SpeakWorkbench = dynamic(() => import('./speech-workbench').then((module) => module.SpeakWorkbench));
