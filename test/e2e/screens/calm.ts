import type { Page, Route } from '@playwright/test'
import { NOW } from './sample.ts'

const DAY = 86_400
const at = (days: number) => Math.round(NOW.getTime() / 1000) + days * DAY

/** Fixed hashes and expiries of share links; the server creates random ones. */
const NAMES = ['hK3vTn7RbQy1', 'uW9dLp2SgEa6', 'rX5cJm8ZfHo4', 'bN1yVk6TqDs3']
const ENDS = [at(6), at(1), at(30)]

/** Fetches from the server by its real origin; only the browser resolves the fake host name. */
export const fetched = (route: Route, origin: string) => {
  const { pathname, search } = new URL(route.request().url())
  return route.fetch({ url: `${origin}${pathname}${search}` })
}

/**
 * Replaces what differs between runs: disk usage, hashes and expiries of share links, and whether fonts load in
 * time.
 * @param origin the real origin of the server
 */
export async function calm(page: Page, origin: string): Promise<void> {
  await page.route(/\/api\/usage\//, route =>
    route.fulfill({ json: { total: 2 * 1024 ** 4, used: Math.round(1.31 * 1024 ** 4) } }),
  )
  await page.route(/\/api\/shares?(\/|$|\?)/, route => calmLinks(route, origin))
  await page.route(/\/static\/.*\.css$/, async route => {
    const response = await fetched(route, origin)
    await route.fulfill({
      response,
      body: (await response.text()).replaceAll('font-display:optional', 'font-display:block'),
    })
  })
}

async function calmLinks(route: Route, origin: string): Promise<void> {
  const response = await fetched(route, origin)
  const text = await response.text()
  if (!response.ok() || !/^[[{]/.test(text)) return route.fulfill({ response })
  const answer = JSON.parse(text)
  for (const [index, link] of [answer].flat().entries()) {
    link.hash = `${NAMES[index % NAMES.length]}q8Zt4mWcX2`
    if (link.expire > 0) link.expire = ENDS[index % ENDS.length]
  }
  await route.fulfill({ response, json: answer })
}
