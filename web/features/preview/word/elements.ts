import type { HElement } from 'docx-preview'

/** Attributes and properties that the library sets and that are applied. */
const ATTRIBUTES = new Set([
  'id',
  'href',
  'src',
  'alt',
  'title',
  'lang',
  'dir',
  'colSpan',
  'rowSpan',
  'dateTime',
  'value',
])

type Made = HElement | Node | string

/** Stand-in for a style sheet, which would take effect, or be refused, once in a document. */
export const RULES = 'word-rules'

/** Creates the elements of a document. They belong to a separate inert document, which fetches nothing. */
export function elementMaker(): (given: Made) => Node {
  const owner = document.implementation.createHTMLDocument()
  const make = (given: Made): Node => {
    if (typeof given === 'string') return owner.createTextNode(given)
    if (given instanceof Node) return given
    const { ns, tagName, className, style, children = [], ...properties } = given
    if (tagName === '#comment') return owner.createComment('')
    const made = tagName === '#fragment' ? owner.createDocumentFragment() : createElement(owner, ns, tagName)
    if (made instanceof Element) {
      if (className) made.setAttribute('class', className)
      applyStyle(made, style)
      for (const [name, value] of Object.entries(properties)) {
        if (ATTRIBUTES.has(name) && value !== undefined) made.setAttribute(name, String(value))
      }
    }
    made.append(...children.map(make))
    return made
  }
  return make
}

function createElement(owner: Document, ns: string | undefined, tag: string): Element {
  const name = tag === 'style' ? RULES : tag
  return ns === undefined ? owner.createElement(name) : owner.createElementNS(ns, name)
}

/** Set property by property: the page's policy forbids the attribute, but not this. */
function applyStyle(element: Element, style: HElement['style']): void {
  if (!(element instanceof HTMLElement || element instanceof SVGElement) || !style) return
  if (typeof style === 'string') element.style.cssText = style
  else Object.assign(element.style, style)
}
