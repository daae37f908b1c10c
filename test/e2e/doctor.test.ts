import { expectAccessibleInBoth, expectFineOnAPhoneAndInArabic } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('administrators see the problems of the server, the worst first, with lines to change', async ({
  app,
  page,
  token,
}) => {
  await page.route('**/api/doctor', async route => {
    const answer = await route.fetch({ headers: { ...route.request().headers(), 'X-Forwarded-For': '192.0.2.7' } })
    await route.fulfill({ response: answer })
  })
  await app.open('/settings/diagnostics')
  await expect(page.getByRole('heading', { name: 'Diagnostics' })).toBeFocused()
  const findings = page.getByRole('list', { name: 'Diagnostics' }).getByRole('listitem')
  await expect(findings.first()).toContainText("The proxy 127.0.0.1 isn't trusted")
  await expect(findings.first()).toContainText('filigree --trustedProxies 127.0.0.1')
  await expect(findings.filter({ hasText: 'WebSockets work.' })).toBeVisible()
  await expect(findings.filter({ hasText: 'Live updates arrive immediately.' })).toBeVisible()
  await expect(findings.filter({ hasText: 'Uploads of 4' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(findings.filter({ hasText: 'Requests arrive directly from 127.0.0.1.' })).toBeVisible()
  await page.route('**/api/doctor/wait**', route => {
    const url = route.request().url().replace('seconds=65', 'seconds=1')
    return url.includes('trickle') ? route.continue({ url }) : route.fulfill({ status: 504 })
  })
  await page.getByRole('button', { name: 'Test slow responses' }).click()
  await expect(page.getByText('A response that starts after 65 s is cut off: 504')).toBeVisible()
  await expect(page.getByText('proxy_read_timeout 1h;').first()).toBeVisible()
  const settings = page.getByRole('region', { name: 'Server configuration' })
  await expect(settings.getByText('passwordCost')).toBeVisible()
  await expect(settings.getByText('FILIGREE_ADMIN_PASSWORD')).toBeVisible()
  await expectAccessibleInBoth(page)
  await expectFineOnAPhoneAndInArabic(app, token)
})
