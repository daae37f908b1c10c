import type { Page } from '@playwright/test'

/**
 * Texts of the interface that are clipped by their box, overflow it, or overlap another one in the same row. Names and
 * other content may end in an ellipsis; so may a text with its full wording in a tooltip.
 */
export const clippedIn = (page: Page): Promise<string[]> => page.evaluate(findClipped)

/** Runs in the page. */
async function findClipped(): Promise<string[]> {
  const ELSEWHERE = 'bdi, [translate=no], input, textarea, select, pre, code, [role=tooltip], .visually-hidden'
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
    return textOverflow !== 'ellipsis' || !(box.closest('[title], [data-tip]') ?? box.querySelector('[title]'))
  }
  const isLow = (box: Element) => {
    const { overflowY, webkitLineClamp } = getComputedStyle(box)
    const hides = overflowY === 'hidden' || overflowY === 'clip'
    return hides && webkitLineClamp === 'none' && box.clientHeight > 1 && box.scrollHeight > box.clientHeight + 4
  }
  const placeOf = (box: Element) => {
    const range = document.createRange()
    range.selectNodeContents(box)
    return range.getBoundingClientRect()
  }
  const meet = (one: DOMRect, other: DOMRect) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > SLACK &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > SLACK
  const isCovered = (box: Element) => {
    const row = box.closest('[role=row]')
    const siblings = [...boxes].filter(other => row?.contains(other) && !other.contains(box) && !box.contains(other))
    return siblings.some(
      other => Math.min(box.clientWidth, other.clientWidth) > 1 && meet(placeOf(box), placeOf(other)),
    )
  }
  await document.fonts.ready
  const boxes = new Set<Element>()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement
    if (!parent || !/\p{L}/u.test(node.nodeValue ?? '') || parent.closest(ELSEWHERE)) continue
    if (parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) boxes.add(boxOf(parent))
  }
  return [...boxes]
    .filter(box => isCut(box) || isLow(box) || isCovered(box))
    .map(box => `“${box.textContent.trim().slice(0, 60)}” in ${box.tagName.toLowerCase()}.${box.className}`)
}
