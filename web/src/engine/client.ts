// A typed client of one worker: requests in, promises out. A worker that dies rejects what was
// asked of it. Where somebody is told of the crash, they start it again; otherwise the next
// request does.

import type { AllImages, Envelope, WorkerMessage } from './messages';

export class WorkerCrash extends Error {}

export interface ClientEvents {
  loading?: (loaded: number, total: number) => void;
  ready?: () => void;
  crashed?: (message: string) => void;
}

interface Waiting {
  resolve: (value: never) => void;
  reject: (reason: Error) => void;
  progress: ((all: AllImages) => void) | undefined;
}

export class WorkerClient<Request extends { kind: string }, Answers> {
  private worker: Worker | null = null;
  private waiting = new Map<number, Waiting>();
  private nextId = 1;
  private broken = false;

  constructor(
    private readonly make: () => Worker,
    private readonly events: ClientEvents = {},
  ) {}

  start(): void {
    if (this.worker !== null) return;
    this.broken = false;
    const worker = this.make();
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.crash(event.message || 'the worker could not be started');
    };
    this.worker = worker;
  }

  ask<Kind extends Request['kind'] & keyof Answers>(
    request: Extract<Request, { kind: Kind }>,
    options: { progress?: (all: AllImages) => void; transfer?: Transferable[] } = {},
  ): Promise<Answers[Kind]> {
    if (this.broken) return Promise.reject(new WorkerCrash('the worker has stopped'));
    this.start();
    const id = this.nextId++;
    return new Promise<Answers[Kind]>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, progress: options.progress });
      const envelope: Envelope<Request> = { id, request };
      this.worker?.postMessage(envelope, options.transfer ?? []);
    });
  }

  stop(): void {
    this.worker?.postMessage({ kind: 'stop' });
  }

  terminate(message: string): void {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(new WorkerCrash(message));
    this.waiting.clear();
  }

  private crash(message: string): void {
    this.terminate(message);
    this.broken = this.events.crashed !== undefined;
    this.events.crashed?.(message);
  }

  private receive(message: WorkerMessage): void {
    switch (message.kind) {
      case 'loading':
        this.events.loading?.(message.loaded, message.total);
        break;
      case 'ready':
        this.events.ready?.();
        break;
      case 'progress':
        this.waiting.get(message.id)?.progress?.(message.all);
        break;
      case 'answer': {
        const waiting = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        waiting?.resolve(message.value as never);
        break;
      }
      case 'failed':
        // The compiler stops loudly on a broken invariant; nothing in it can be trusted then.
        this.waiting.get(message.id)?.reject(new WorkerCrash(message.message));
        this.waiting.delete(message.id);
        this.crash(message.message);
        break;
    }
  }
}
