// What only the page's surface knows: which pane is shown, the theme, which dialog is open.

import { effect, signal } from '@preact/signals';

export type PaneName = 'json' | 'graph' | 'step' | 'module';
export type Theme = 'auto' | 'light' | 'dark';
export type DialogName = 'share' | 'howto' | 'keys' | 'paste' | null;

export const pane = signal<PaneName>('step');
export const graphTab = signal<'graph' | 'table'>('graph');
export const dialog = signal<DialogName>(null);
export const nameWeights = signal(true);
export const wrap = signal(true);
export const dropping = signal(false);

const kThemeKey = 'fx2wasm.theme';

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(kThemeKey);
    return stored === 'light' || stored === 'dark' ? stored : 'auto';
  } catch {
    return 'auto'; // storage is forbidden: the system's theme is right
  }
}

export const theme = signal<Theme>(storedTheme());
const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(darkSystem.matches);
darkSystem.addEventListener('change', (event) => (systemIsDark.value = event.matches));

export const phone = signal(false);
const phoneWidth = matchMedia('(max-width: 639px)');
phone.value = phoneWidth.matches;
phoneWidth.addEventListener('change', (event) => (phone.value = event.matches));

export const isDark = signal(false);

export function followTheme(): void {
  effect(() => {
    const chosen = theme.value;
    const dark = chosen === 'dark' || (chosen === 'auto' && systemIsDark.value);
    isDark.value = dark;
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
    try {
      if (chosen === 'auto') localStorage.removeItem(kThemeKey);
      else localStorage.setItem(kThemeKey, chosen);
    } catch {
      return; // kept for this visit only
    }
  });
}

export function nextTheme(): void {
  const order: Theme[] = ['auto', 'light', 'dark'];
  theme.value = order[(order.indexOf(theme.value) + 1) % order.length] ?? 'auto';
}
