import { count, type Finding } from './finding.ts';
import type { HealthFacts, SinkFacts } from './health.ts';
import { homeProblems } from './home-problems.ts';

/** A sink that failed less often than this may be back with the next attempt. */
const SHORT_FAILURES = 3;

/** How long a clock that jumped counts as news. */
const NEWS_MS = 24 * 3600_000;

/** Everything that is wrong, by home, then by store, sink and host. Pure. */
export function findProblems(facts: HealthFacts): Finding[] {
  return [
    ...facts.unreadableHomes.map(unreadableHome),
    ...facts.homes.flatMap((home) => homeProblems(home, facts)),
    ...noAgents(facts),
    ...storeProblems(facts),
    ...facts.sinks.flatMap((sink) => [...sinkAway(sink), ...refusedRows(sink)]),
    ...clockProblems(facts),
  ];
}

function unreadableHome({ path, reason }: { readonly path: string; readonly reason: string }): Finding {
  return {
    code: 'home_unreadable',
    severity: 'error',
    subject: path,
    message: `${path} cannot be read: ${reason}`,
    hint: 'Run Holdfast as a service, or grant it access to this home (macOS: Full Disk Access).',
  };
}

/** Said only when every home could be looked at and was: silence for any other reason has its own problem. */
function noAgents({ homes, unreadableHomes }: HealthFacts): Finding[] {
  if (unreadableHomes.length > 0) return [];
  const isEmpty = homes.every(
    ({ lastFullSweepAt, sources }) => lastFullSweepAt !== null && sources.length === 0,
  );
  if (!isEmpty) return [];
  return [
    {
      code: 'no_agents_here',
      severity: 'info',
      subject: '',
      message:
        homes.length === 0
          ? 'there is no home to observe'
          : 'no coding agent has left anything on this machine yet',
      hint: 'Nothing to do. If you expected one, see homes and sources in docs/config.md.',
    },
  ];
}

function storeProblems({ store }: HealthFacts): Finding[] {
  const found: Finding[] = [];
  if (store.full) {
    found.push({
      code: 'outbox_full',
      severity: 'error',
      subject: '',
      message: `the outbox is full (${store.bytes} of ${store.maxBytes} bytes); reading is paused, nothing is dropped`,
      hint: 'Bring the sink back, or raise store.max_outbox_bytes.',
    });
  }
  if (store.trouble !== null) {
    found.push({
      code: 'store_degraded',
      severity: 'error',
      subject: '',
      message: `the store is degraded: ${store.trouble}`,
      hint: 'Check free space and permissions of state_dir.',
    });
  }
  return found;
}

function sinkAway({ sink, state, failures, lastError }: SinkFacts): Finding[] {
  const reason = lastError === null ? '' : `: ${lastError}`;
  switch (state) {
    case 'ok':
      return [];
    case 'unauthorized':
      return [
        {
          code: 'sink_unauthorized',
          severity: 'error',
          subject: sink,
          message: `sink ${sink} does not accept our credential${reason}`,
          hint: 'Renew the token or certificate; it is read again when its file changes.',
        },
      ];
    case 'refusing':
      return [
        {
          code: 'sink_refusing_rows',
          severity: 'error',
          subject: sink,
          message: `sink ${sink} refuses every row${reason}`,
          hint: 'Address, collector and version of the row form may not fit together. Rows are kept and tried again.',
        },
      ];
    case 'retrying':
      return [
        {
          code: 'sink_retrying',
          severity: failures < SHORT_FAILURES ? 'info' : 'warning',
          subject: sink,
          message: `sink ${sink} takes no rows at the moment${reason}`,
          hint: 'Rows are kept and sent again by themselves. Check the address, the network and the collector.',
        },
      ];
  }
}

function refusedRows({ sink, state, rejectedRows }: SinkFacts): Finding[] {
  if (rejectedRows === 0 || state === 'refusing') return [];
  return [
    {
      code: 'sink_refusing_rows',
      severity: 'warning',
      subject: sink,
      message: `sink ${sink} has refused ${count(rejectedRows, 'row')} for good since the start; they are set aside with the reason`,
      hint: 'The reasons tell whether the collector or a row is at fault.',
    },
  ];
}

function clockProblems({ clockJump, now }: HealthFacts): Finding[] {
  if (clockJump === null || now - clockJump.at >= NEWS_MS) return [];
  return [
    {
      code: 'clock_jumped',
      severity: 'info',
      subject: '',
      message: `the clock of this machine jumped by ${Math.round(clockJump.ms / 1000)} s`,
      hint: 'Check time synchronisation. Rows keep the times of their records; seq keeps the order.',
    },
  ];
}
