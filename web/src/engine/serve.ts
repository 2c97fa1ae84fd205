// The worker's side of client.ts: answers requests one after the other.

import type { AllImages, Envelope, StopMessage, WorkerMessage } from './messages';

export interface Reply {
  progress: (all: AllImages) => void;
  stopped: () => boolean;
}

export function post(message: WorkerMessage, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function serve<Request>(
  handle: (request: Request, reply: Reply) => Promise<unknown>,
): void {
  let stops = 0;
  let queue = Promise.resolve();
  self.onmessage = ({ data }: MessageEvent<Envelope<Request> | StopMessage>) => {
    if ('kind' in data) {
      stops += 1;
      return;
    }
    const { id, request } = data;
    const reply = (before: number): Reply => ({
      progress: (all) => post({ kind: 'progress', id, all }),
      stopped: () => stops > before,
    });
    queue = queue.then(async () => {
      try {
        post({ kind: 'answer', id, value: await handle(request, reply(stops)) });
      } catch (error) {
        post({ kind: 'failed', id, message: messageOf(error) });
      }
    });
  };
}
