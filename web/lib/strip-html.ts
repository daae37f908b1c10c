/** Elements removed with their content. */
const SILENT = /<(script|style|iframe|object|template|noscript|textarea|title|xmp|svg|math)\b[\s\S]*?(?:<\/\1\s*>|$)/gi
/** Also matches an unterminated tag, so that matching stays linear. */
const TAG = /<(\/?)([a-z][a-z\d]*)((?:"[^"]*"|'[^']*'|[^'">])*)(>?)/gi
const ATTRIBUTE = /([a-z][a-z-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/gi

const escaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/**
 * Reduces HTML to some elements and attributes before any parser sees it: browsers report handlers and styles to the
 * page's policy at parse time. The result must still be sanitized.
 */
export function stripHtml(html: string, elements: ReadonlySet<string>, attributes: ReadonlySet<string>): string {
  const spoken = html.replace(/<!--[\s\S]*?(?:-->|$)/g, '').replace(SILENT, '')
  let kept = ''
  let at = 0
  for (const { 0: tag, 1: slash, 2: name = '', 3: rest = '', 4: end, index } of spoken.matchAll(TAG)) {
    if (!end) continue
    kept += escaped(spoken.slice(at, index))
    at = index + tag.length
    if (elements.has(name.toLowerCase())) kept += `<${slash}${name}${slash ? '' : keepAttributes(rest, attributes)}>`
  }
  return kept + escaped(spoken.slice(at))
}

function keepAttributes(text: string, attributes: ReadonlySet<string>): string {
  return [...text.matchAll(ATTRIBUTE)]
    .filter(([, name = '']) => attributes.has(name.toLowerCase()))
    .map(([, name, double, single, bare]) => ` ${name}="${escaped(double ?? single ?? bare ?? '')}"`)
    .join('')
}
