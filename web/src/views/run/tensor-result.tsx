// An example whose inputs and outputs are plain tensors: ours beside PyTorch's recorded ones.

import * as store from '../../engine/store';
import { strings } from '../../strings';
import { Skeleton } from '../controls';

const kTolerance = 1e-5; // absolute and relative
const kShown = 32;

export function TensorResult() {
  const run = store.oneRun.value;
  const recorded = store.recordedTensors.value.filter(({ name }) => name.startsWith('output.'));
  if (run === null) return <Skeleton lines={6} />;
  return (
    <>
      {recorded.map((right, index) => {
        const ours = Array.from(run.outputs[index]?.values ?? []);
        const differences = Array.from(
          right.values, (value, i) => Math.abs(value - (ours[i] ?? NaN)),
        );
        const close = right.values.every(
          (value, i) => (differences[i] ?? NaN) <= kTolerance + kTolerance * Math.abs(value),
        );
        const largest = Math.max(...differences);
        return (
          <section key={right.name} class="sec">
            <h3>
              <code>{right.name}</code>{' '}
              <span class="quiet">{strings.tuple(right.shape)}</span>
              <span class="grow" />
              <span class={`chip ${close ? 'chip--ok' : 'chip--err'}`}>
                {close ? strings.result.equal : strings.result.differs}
              </span>
            </h3>
            <p class="second">
              {strings.scores.largest} <b>{strings.difference(largest)}</b>,{' '}
              {strings.scores.allowed}
            </p>
            <table class="scores scores--plain">
              <thead>
                <tr>
                  <th scope="col">{strings.tensors.element}</th>
                  <th scope="col">{strings.scores.here}</th>
                  <th scope="col">{strings.scores.pytorch}</th>
                  <th scope="col">{strings.scores.difference}</th>
                </tr>
              </thead>
              <tbody>
                {Array.from(right.values.slice(0, kShown)).map((value, i) => (
                  <tr key={i}>
                    <td>{i}</td>
                    <td>{strings.score(ours[i] ?? NaN)}</td>
                    <td>{strings.score(value)}</td>
                    <td>{strings.difference(differences[i] ?? NaN)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {right.values.length > kShown && (
              <p class="quiet">{strings.tensors.more(right.values.length - kShown)}</p>
            )}
          </section>
        );
      })}
    </>
  );
}
