/** A bar from the design, and what to aim for. */
export interface Budget {
  readonly what: string;
  readonly unit: string;
  readonly bar: number;
  readonly aim: number;
  readonly better: 'lower' | 'higher';
}

export interface Verdict extends Budget {
  readonly value: number;
  readonly met: boolean;
}

/** A figure against its budget. A figure that could not be taken (NaN) has not met it. */
export function judge(budget: Budget, value: number): Verdict {
  const met = budget.better === 'lower' ? value <= budget.bar : value >= budget.bar;
  return { ...budget, value, met };
}
