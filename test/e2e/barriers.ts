import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResults {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[]
}

/** The rules of WCAG 2.2 AA and best practices; the size of targets is checked on request only. */
const RULES = { 'target-size': { enabled: true } }

/** A violated rule, and the elements. */
export interface Barrier {
  id: string
  help: string
  at: string[]
}

/**
 * Runs axe on the page as it is now. Evaluated from outside, because the page's policy allows no foreign script.
 * @param options of axe.run
 */
export async function barriersIn(page: Page, options = {}): Promise<Barrier[]> {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(animation => animation.finished)))
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  const question = JSON.stringify({ resultTypes: ['violations'], rules: RULES, ...options })
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${question})`)
  return results.violations.map(({ id, help, nodes }) => ({
    id,
    help,
    at: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} – ${failureSummary}`),
  }))
}

/** Elements that overflow the window sideways, two frames later. */
export const tooWideIn = (page: Page): Promise<string[]> => page.evaluate(findTooWide)

/** Runs in the page. */
async function findTooWide(): Promise<string[]> {
  await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  const { scrollWidth, clientWidth } = document.documentElement
  const dialogs = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].filter(dialog => {
    const { left, right } = dialog.getBoundingClientRect()
    return left < 0 || right > clientWidth
  })
  const found = dialogs.map(dialog => `the dialog ${dialog.textContent.slice(0, 60)}`)
  return scrollWidth > clientWidth ? [`the page by ${scrollWidth - clientWidth} pixels`, ...found] : found
}
