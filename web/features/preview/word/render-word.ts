import { parseAsync, renderDocument } from 'docx-preview'
import { zipSync } from 'fflate'
import type { FramedDocument } from '../document/frame/document-frame.tsx'
import { cleanMarkup, type Targets } from '../document/frame/markup.ts'
import { cleanRules } from '../document/frame/rules.ts'
import { UnreadableError } from '../document/unreadable.ts'
import { unpack } from '../document/zip.ts'
import { elementMaker, RULES } from './elements.ts'

/** Prefix of a document's classes, to keep them apart from the frame's own. */
const PREFIX = 'word'

/** Pages on the ground of the frame; on narrow screens as wide as the screen. */
const OWN_RULES = `
:root { color-scheme: light; background: none; }
body { margin: 0; }
.${PREFIX}-wrapper { display: flex; flex-direction: column; align-items: center; gap: 16px; padding: 16px; background: none; }
.${PREFIX}-wrapper > section.${PREFIX} { box-sizing: border-box; inline-size: 612pt; margin: 0; padding: 72pt; background: #fff; color: #000; box-shadow: 0 1px 3px #0003; overflow-wrap: anywhere; }
img { max-inline-size: 100%; }
@media (max-width: 860px) {
  .${PREFIX}-wrapper { align-items: stretch; padding: 0; gap: 8px; }
  img, div:has(> img) { max-inline-size: 100% !important; block-size: auto !important; }
  .${PREFIX}-wrapper > section.${PREFIX} { inline-size: auto !important; min-block-size: 0 !important; padding: 24px 16px !important; overflow-x: auto; }
}
`

/** Renders a text document (ECMA-376 part 1, 17) as markup without active content. @throws UnreadableError */
export async function renderWord(bytes: Uint8Array): Promise<FramedDocument> {
  const parts = unpack(bytes)
  if (!('word/document.xml' in parts)) throw new UnreadableError('damaged')
  // Repacked: the sizes in the new directory are true, so that nothing unpacks beyond the checked limit.
  const packed = zipSync({ ...parts }, { level: 0 })
  try {
    return await renderPacked(packed)
  } catch (error) {
    throw new UnreadableError('damaged', error)
  }
}

async function renderPacked(packed: Uint8Array): Promise<FramedDocument> {
  const options = {
    className: PREFIX,
    useBase64URL: true,
    ignoreFonts: true,
    renderAltChunks: false,
    ignoreLastRenderedPageBreak: false,
    h: elementMaker(),
  }
  const word = await parseAsync(packed, options)
  const nodes = await renderDocument(word, options)
  const body = document.implementation.createHTMLDocument().body
  body.append(...nodes)
  const rules: string[] = []
  for (const style of body.querySelectorAll(RULES)) {
    rules.push(cleanRules(style.textContent))
    style.remove()
  }
  rules.push(cleanRules(takeStyles(body)))
  return { html: cleanMarkup(body.innerHTML, TARGETS), css: [...rules, OWN_RULES].join('\n') }
}

/** Base64 prefixes of these image types: the library does not report the type. */
const PICTURES: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'png'],
  ['/9j/', 'jpeg'],
  ['R0lGOD', 'gif'],
  ['UklGR', 'webp'],
  ['Qk', 'bmp'],
  ['PHN2Zy', 'svg+xml'],
  ['PD94bWw', 'svg+xml'],
]

/** Internal links point to bookmarks; all images are embedded already. */
const TARGETS: Targets = {
  idOf: link => (link.startsWith('#') && link.length > 1 ? `${PREFIX}-${link.slice(1)}` : undefined),
  pictureOf: source => {
    const data = /^data:[^,]*;base64,(.*)$/s.exec(source)?.[1] ?? ''
    const type = PICTURES.find(([start]) => data.startsWith(start))?.[1]
    return type && `data:image/${type};base64,${data}`
  },
  ownId: id => `${PREFIX}-${id}`,
}

/** Moves inline styles to class rules: only those are allowed in a frame. */
function takeStyles(body: HTMLElement): string {
  const names = new Map<string, string>()
  for (const element of body.querySelectorAll<HTMLElement>('[style]')) {
    const text = element.style.cssText
    const name = names.get(text) ?? `${PREFIX}-style-${names.size}`
    names.set(text, name)
    element.removeAttribute('style')
    element.classList.add(name)
  }
  // An id inside `:is()`, even of no element, gives a rule the precedence of an inline style.
  return [...names].map(([text, name]) => `:is(#_, .${name}) { ${text} }`).join('\n')
}
