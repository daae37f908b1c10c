import type { Locator } from '@playwright/test'
import { linkTo } from '../api/links-client.ts'
import type { App } from './app.ts'
import { ANONYMOUS, test as base } from './fixtures.ts'

/** A share link to something in the corner; visitors are not signed in. */
export const test = base.extend<{ shareLink: (path: string, body?: object) => Promise<string> }>({
  storageState: ANONYMOUS,
  shareLink: async ({ server, token, corner }, use) => {
    await use(async (path, body = {}) => `/share/${(await linkTo(server, token, corner.path + path, body)).hash}`)
  },
})

export const heading = (app: App): Locator => app.page.getByRole('heading', { level: 1 })
export const password = (app: App): Locator => app.page.getByLabel('Password', { exact: true })
