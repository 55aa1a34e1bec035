/** Takes counts for metrics. */
export type Counter = (name: string, amount: number, labels: Record<string, string>) => void;

/**
 * What became of one look at a file. more: it goes on in a further slice; settle: its end is unfinished;
 * moving: a database that is being written right now; gone: nothing of this name; later: the system said no for now; refused: not ours to read.
 */
export type ReadOutcome = 'done' | 'more' | 'settle' | 'moving' | 'gone' | 'later' | 'refused';
