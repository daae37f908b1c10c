import { LanguageDescription } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import { classHighlighter, highlightCode } from '@lezer/highlight'
import { LANGUAGE } from '../../files/markdown/render.ts'
import { loadLanguage } from '../code/language.ts'

/** Characters of a block above which it stays plain: it is coloured at once, without a worker. */
const MAX_COLOURED = 100_000

/** Colours the blocks of code whose language is named and known, one after the other. Never rejects. */
export async function colourCode(article: HTMLElement): Promise<void> {
  for (const block of article.querySelectorAll(`pre > code[${LANGUAGE}]`)) {
    const name = block.getAttribute(LANGUAGE) ?? ''
    const language = LanguageDescription.matchLanguageName(languages, name, true)
    const text = block.textContent
    if (!language || text.length > MAX_COLOURED) continue
    const loaded = await loadLanguage(language).catch(() => undefined)
    // The text may have been rendered again.
    if (loaded && block.isConnected) block.replaceChildren(coloured(text, loaded.language.parser.parse(text)))
  }
}

function coloured(text: string, tree: Parameters<typeof highlightCode>[1]): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const put = (part: string, classes: string) => {
    const piece = document.createElement('span')
    piece.className = classes
    piece.textContent = part
    fragment.append(classes === '' ? part : piece)
  }
  highlightCode(text, tree, classHighlighter, put, () => fragment.append('\n'))
  return fragment
}
