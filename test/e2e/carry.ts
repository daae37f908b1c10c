import type { Locator, Page } from '@playwright/test'

/** Begins to drag something with the mouse, as a user does, and holds it over something else. */
export async function hold(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.hover()
  await page.mouse.down()
  await to.hover()
  await to.hover()
}

/** Drags something with the mouse, as a user does. */
export async function carry(page: Page, from: Locator, to: Locator): Promise<void> {
  await hold(page, from, to)
  await page.mouse.up()
}
