import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerOptions } from '../worker-options.ts';

/** Rows in flight: calls that run or wait, rows on their way into a topic; and rows that a window holds. */
export interface Figures {
  readonly moving: number;
  readonly parked: number;
}
const none: Figures = { moving: 0, parked: 0 };

interface Member {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  figures: Figures;
  answered: () => void;
  /** It was told to go, or killed. */
  isLeaving: boolean;
}

export interface Hearing {
  /** A call began to hang, while so many rows moved in its process. */
  readonly onHang: (moving: number) => void;
}

/** Worker processes, and what they said. One that ends although nobody told it to is counted, and another is started. */
export function createCrew(path: string, { onHang }: Hearing) {
  let members: Member[] = [];
  let options: WorkerOptions | undefined;
  let most = 0;
  const crashes: string[] = [];
  const counts: Record<string, number> = {};
  const hear = (member: Member, message: unknown): void => {
    const { moving = 0, parked = 0, hang, counts: more } = message as Heard;
    if (more) for (const [name, n] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + n;
    else member.figures = { moving, parked };
    member.answered();
    if (hang) onHang(moving);
  };
  const start = (): void => {
    const child = spawn(process.execPath, [path, JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const exited = once(child, 'exit');
    const member: Member = { child, exited, figures: none, answered: () => {}, isLeaving: false };
    members.push(member);
    most = Math.max(most, staying().length);
    let said = '';
    child.stderr?.on('data', (text: Buffer) => {
      said = `${said}${text}`.slice(-2000);
    });
    child.on('message', (message) => hear(member, message));
    child.on('error', () => {}); // a question to one that is gone
    child.on('exit', (code, signal) => {
      members = members.filter((one) => one !== member);
      if (code !== 0 && signal === null) crashes.push(`exit ${code}: ${said.trim()}`);
      if (!member.isLeaving) start();
    });
  };
  const staying = () => members.filter(({ isLeaving }) => !isLeaving);
  /** Ask all what moves. Who does not answer in time is taken at its last word. */
  const ask = async (): Promise<void> => {
    const asked = staying().map((member) => {
      if (member.child.connected) member.child.send('figures', () => {}); // it may just end
      return Promise.race([new Promise<void>((resolve) => (member.answered = resolve)), sleep(500)]);
    });
    await Promise.all(asked);
  };
  const sum = (all: readonly Member[]): Figures => ({
    moving: all.reduce((total, { figures }) => total + figures.moving, 0),
    parked: all.reduce((total, { figures }) => total + figures.parked, 0),
  });
  const release = (leaving: readonly Member[], signal: NodeJS.Signals): void => {
    for (const member of leaving) {
      member.isLeaving = true;
      member.child.kill(signal);
    }
  };
  return {
    crashes,
    counts,
    size: () => staying().length,
    /** Most workers that were there at a time, without those that were told to go. */
    mostMembers: () => most,
    /** Start so many workers. */
    start(n: number, told: WorkerOptions): void {
      options = told;
      for (let i = 0; i < n; i++) start();
    },
    join: start,
    async figures(): Promise<Figures> {
      await ask();
      return sum(staying());
    },
    /** End a worker that has rows in flight, and start another. Gives what it had; nothing is done while none has any. */
    async hit(pick: number, signal: NodeJS.Signals): Promise<Figures> {
      await ask();
      const busy = staying().filter(({ figures }) => figures.moving > 0);
      const victim = busy[Math.floor(pick * busy.length)];
      if (!victim) return none;
      release([victim], signal);
      start();
      return victim.figures;
    },
    /** Replace every worker by one that is told something else; the old ones finish what they do. */
    async roll(told: WorkerOptions): Promise<void> {
      const old = staying();
      options = told;
      release(old, 'SIGTERM');
      for (const { exited } of old) {
        start();
        await exited;
      }
    },
    /** Let those go on that were told to sleep (SIGSTOP). */
    wake(): void {
      for (const { child } of members) child.kill('SIGCONT');
    },
    async stop(): Promise<void> {
      const all = [...members];
      release(all, 'SIGTERM');
      release(all, 'SIGCONT');
      await Promise.all(all.map(({ exited }) => exited));
    },
  };
}

interface Heard extends Partial<Figures> {
  readonly hang?: boolean;
  readonly counts?: Readonly<Record<string, number>>;
}
export type Crew = ReturnType<typeof createCrew>;
