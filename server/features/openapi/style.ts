/** The style of the page, with logical properties only; light or dark by the reader's preference. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --background: light-dark(oklch(1 0 0), oklch(0.215 0.014 260));
  --ink: light-dark(oklch(0.235 0.018 260), oklch(0.945 0.006 95));
  --line: light-dark(oklch(0.905 0.008 95), oklch(0.3 0.014 260));
  --sunken: light-dark(oklch(0.965 0.004 95), oklch(0.265 0.014 260));
  --accent: light-dark(oklch(0.5 0.13 205), oklch(0.76 0.12 200));
  background: var(--background);
  color: var(--ink);
  font: 0.9375rem/1.5 system-ui, sans-serif;
}
body { margin: 0 auto; max-inline-size: 60rem; padding: 1rem 1rem 4rem; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.2em; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; list-style: none; margin: 0; padding: 0; }
h1, h2, h3 { line-height: 1.25; }
h1 small { font-weight: normal; font-size: 1rem; }
h2 { margin-block-start: 3rem; padding-block-end: 0.25rem; border-block-end: 2px solid var(--accent); }
h3 { margin-block: 2.5rem 0.25rem; font-size: 1.0625rem; }
h3 code { font-size: 1rem; }
code { font-family: ui-monospace, monospace; font-size: 0.875rem; }
pre { margin-block: 0.5rem; padding: 0.5rem 0.75rem; border-radius: 0.375rem; background: var(--sunken); overflow-x: auto; overflow-wrap: normal; }
table { border-collapse: collapse; inline-size: 100%; margin-block: 0.75rem; }
caption { font-weight: 600; text-align: start; }
th { white-space: nowrap; }
@media (min-width: 40rem) {
  td { overflow-wrap: break-word; }
  td:first-child code { white-space: nowrap; }
}
th, td { border-block-start: 1px solid var(--line); padding-block: 0.25rem; padding-inline: 0 0.75rem; text-align: start; vertical-align: top; }
dl { display: grid; grid-template-columns: fit-content(50%) minmax(0, 1fr); gap: 0.125rem 0.75rem; margin-inline-start: 0.5rem; }
dd { margin: 0; }
dd dl { margin-block: 0; }
`
