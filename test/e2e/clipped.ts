import type { Page } from '@playwright/test'

/**
 * Texts of the interface that their box cuts off or that stick out of it. What names and other content lack room for may
 * end in an ellipsis; so may a text whose whole wording a tooltip tells.
 */
export const clippedIn = (page: Page): Promise<string[]> => page.evaluate(findClipped)

/** Runs in the page. */
async function findClipped(): Promise<string[]> {
  const CONTENT = 'bdi, [translate=no], input, textarea, select, pre, code, [role=tooltip]'
  const SLACK = 1
  const boxOf = (element: Element): Element => {
    const { display } = getComputedStyle(element)
    const inline = display === 'inline' || display === 'contents'
    return inline && element.parentElement ? boxOf(element.parentElement) : element
  }
  const isCut = (box: Element) => {
    const { overflowX, textOverflow } = getComputedStyle(box)
    if (overflowX === 'auto' || overflowX === 'scroll' || box.clientWidth <= 1) return false
    if (box.scrollWidth <= box.clientWidth + SLACK) return false
    return textOverflow !== 'ellipsis' || !box.closest('[title], [data-tip]')
  }
  const isLow = (box: Element) => {
    const { overflowY, webkitLineClamp } = getComputedStyle(box)
    const hides = overflowY === 'hidden' || overflowY === 'clip'
    return hides && webkitLineClamp === 'none' && box.clientHeight > 1 && box.scrollHeight > box.clientHeight + 4
  }
  await document.fonts.ready
  const boxes = new Set<Element>()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement
    if (!parent || !/\p{L}/u.test(node.nodeValue ?? '') || parent.closest(CONTENT)) continue
    if (parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) boxes.add(boxOf(parent))
  }
  return [...boxes]
    .filter(box => isCut(box) || isLow(box))
    .map(box => `“${box.textContent.trim().slice(0, 60)}” in ${box.tagName.toLowerCase()}.${box.className}`)
}
