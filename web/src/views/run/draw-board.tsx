// A board of 28 × 28 to draw on; what is drawn is run at once.

import { useEffect, useRef } from 'preact/hooks';
import * as store from '../../engine/store';
import { strings } from '../../strings';

const kSide = 28;
const kBrush = 1.6; // radius in pixels

export function DrawBoard() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = store.drawing.value;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || drawn === null) return;
    const image = context.createImageData(kSide, kSide);
    drawn.forEach((value, i) => image.data.set([value, value, value, 255], i * 4));
    context.putImageData(image, 0, 0);
  }, [drawn]);

  const paint = (event: PointerEvent & { currentTarget: HTMLCanvasElement }): void => {
    if (event.buttons === 0 || store.drawing.value === null) return;
    const box = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * kSide;
    const y = ((event.clientY - box.top) / box.height) * kSide;
    const next = store.drawing.value.slice();
    for (let row = 0; row < kSide; row += 1) {
      for (let column = 0; column < kSide; column += 1) {
        const distance = Math.hypot(column + 0.5 - x, row + 0.5 - y);
        const ink = Math.round(255 * Math.max(0, Math.min(1, kBrush + 0.5 - distance)));
        const at = row * kSide + column;
        next[at] = Math.max(next[at] ?? 0, ink);
      }
    }
    store.drawing.value = next;
  };
  return (
    <>
      <canvas ref={canvas} class="fm board" width={kSide} height={kSide} role="img"
        aria-label={strings.draw.board}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          paint(event);
        }}
        onPointerMove={paint} />
      <div class="row board__foot">
        <button class="btn btn--s" onClick={() => (store.drawing.value = new Uint8Array(784))}>
          {strings.draw.clear}
        </button>
        <button class="btn btn--s" onClick={startFromImage}>{strings.draw.fromImage}</button>
      </div>
    </>
  );
}

// A drawing may begin as the chosen test image: also the way to draw without a pointer.
function startFromImage(): void {
  const state = store.images.value;
  if (state.kind !== 'done') return;
  const { images, pixels } = state.value;
  const index = store.document_.value.image ?? 0;
  store.drawing.value = images.slice(index * pixels, (index + 1) * pixels);
}
