import { ANONYMOUS, expect, test } from './fixtures.ts'

test.use({ storageState: ANONYMOUS })

test('the first page that a browser ever opens preloads the font of all later ones', async ({ app, page }) => {
  const fonts: string[] = []
  page.on('request', request => {
    if (request.resourceType() === 'font') fonts.push(request.url())
  })
  await app.open('/login')
  await expect(page.getByLabel('Username')).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  const preloaded = await page.locator('link[rel=preload][as=font]').evaluate((link: HTMLLinkElement) => link.href)
  expect(fonts).toEqual([preloaded])
  expect(await page.evaluate(() => document.fonts.check('16px Onest'))).toBe(true)
})
