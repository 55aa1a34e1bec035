import type { FunctionCall } from './wire.ts';

/** One answer of the scripted model. */
export interface Turn {
  /** Subject and description, as programs split a bold first line from the rest. */
  readonly thoughts?: readonly (readonly [subject: string, description: string])[];
  readonly text?: string;
  readonly calls?: readonly FunctionCall[];
  /** STOP when left out; null cuts the stream before any finish reason. */
  readonly finish?: 'SAFETY' | null;
  readonly failure?: { readonly code: number; readonly status: string; readonly message: string };
  /** Answered only when the step releases it. */
  readonly held?: true;
}

/** Every text holds the mark, so that a row can be found by it. */
export type Scene = (mark: string) => readonly Turn[];

export type Scenes = Readonly<Record<string, Scene>>;
