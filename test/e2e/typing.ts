import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** The field of the editor. */
export const area = (page: Page): Locator => page.getByRole('textbox', { name: /^Contents of / })

/** Goes from the reading view of a text to the editor, by the keyboard. */
export async function startEditing(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  await page.keyboard.press('e')
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeVisible()
  await expect(area(page)).toBeVisible()
}

/** Waits until the editor shows this text; lines out of view are not in the document. */
export async function expectText(page: Page, text: string): Promise<void> {
  await expect.poll(async () => (await area(page).locator('.cm-line').allTextContents()).join('\n')).toBe(text)
}

/** Replaces the whole text by typing. */
export async function typeInstead(page: Page, text: string): Promise<void> {
  await area(page).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
  await expectText(page, text)
}

/** Waits until the browser stores a draft of what was typed. */
export const draftIsKept = (page: Page) =>
  expect
    .poll(
      () =>
        page.evaluate(
          () =>
            new Promise<number>(resolve => {
              const request = indexedDB.open('filigree', 1)
              request.onupgradeneeded = () => request.result.createObjectStore('drafts')
              request.onsuccess = () => {
                const count = request.result.transaction('drafts').objectStore('drafts').count()
                count.onsuccess = () => {
                  request.result.close()
                  resolve(count.result)
                }
              }
            }),
        ),
      { timeout: 10_000 },
    )
    .toBe(1)
