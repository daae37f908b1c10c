import type { Locator, Page } from '@playwright/test'

/** CSS pixels of the viewport. */
export interface Point {
  x: number
  y: number
}

/** Milliseconds, longer than the page needs to see a long press. */
const LONG = 700

/** A touch that goes down, rests for some milliseconds, moves over some points and is released. */
export async function finger(page: Page, down: Point, rest: number, ...moves: Point[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', [down])
  await new Promise(resolve => setTimeout(resolve, rest))
  for (const point of moves) await send('touchMove', [point])
  await send('touchEnd', [])
}

/** The middle of an element. */
export async function middleOf(target: Locator): Promise<Point> {
  const box = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Presses a row until it is selected; it must be at rest, since what loads above would move it away from the finger. */
export async function longPress(row: Locator): Promise<void> {
  await row.click({ trial: true })
  await finger(row.page(), await middleOf(row), LONG)
}
