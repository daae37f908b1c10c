/** The whole style of the page, with logical properties only, light or dark as the reader's system is. */
export const STYLE = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-inline-size: 60rem; padding: 1rem; overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; list-style: none; margin: 0; padding: 0; }
h2 { margin-block-start: 3rem; border-block-end: 2px solid; }
h3 { margin-block: 2rem 0.25rem; }
h1 small { font-weight: normal; font-size: 1rem; }
code { font-family: ui-monospace, monospace; }
table { border-collapse: collapse; inline-size: 100%; margin-block: 0.75rem; }
caption { font-weight: bold; text-align: start; }
th, td { border-block-start: 1px solid; padding: 0.25rem 0.75rem 0.25rem 0; text-align: start; vertical-align: top; }
dl { display: grid; grid-template-columns: fit-content(50%) minmax(0, 1fr); gap: 0.125rem 0.75rem; margin-inline-start: 0.5rem; }
dd { margin: 0; }
dd dl { margin-block: 0; }
`
