// Below a laptop's width one pane is shown at a time.
import * as ui from './ui';

export function paneClass(name: ui.PaneName): string {
  return `pane ${ui.pane.value === name ? 'shown' : ''}`;
}
