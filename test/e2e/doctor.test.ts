import { expectAccessibleInBoth, expectFineOnAPhoneAndInArabic } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('administrators see what keeps the server from working well, the worst first, with lines to change', async ({
  app,
  page,
  token,
}) => {
  await page.route('**/api/doctor', async route => {
    const answer = await route.fetch({ headers: { ...route.request().headers(), 'X-Forwarded-For': '192.0.2.7' } })
    await route.fulfill({ response: answer })
  })
  await app.open('/settings/doctor')
  await expect(page.getByRole('heading', { name: 'Health' })).toBeFocused()
  const findings = page.getByRole('list', { name: 'Health' }).getByRole('listitem')
  await expect(findings.first()).toContainText('The proxy 127.0.0.1 is not trusted')
  await expect(findings.first()).toContainText('filigree --trustedProxies 127.0.0.1')
  await expect(findings.filter({ hasText: 'WebSockets come through.' })).toBeVisible()
  await expect(findings.filter({ hasText: 'Changes are told at once.' })).toBeVisible()
  await expect(findings.filter({ hasText: 'Uploads of 4' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Look again' }).click()
  await expect(findings.filter({ hasText: 'Requests come straight from 127.0.0.1.' })).toBeVisible()
  await page.route('**/api/doctor/wait**', route => {
    const url = route.request().url().replace('seconds=65', 'seconds=1')
    return url.includes('trickle') ? route.continue({ url }) : route.fulfill({ status: 504 })
  })
  await page.getByRole('button', { name: 'Try slow answers' }).click()
  await expect(page.getByText("An answer that begins after 65 s doesn't come through: 504")).toBeVisible()
  await expect(page.getByText('proxy_read_timeout 1h;').first()).toBeVisible()
  const settings = page.getByRole('region', { name: 'How this server was started' })
  await expect(settings.getByText('passwordCost')).toBeVisible()
  await expect(settings.getByText('FILIGREE_ADMIN_PASSWORD')).toBeVisible()
  await expectAccessibleInBoth(page)
  await expectFineOnAPhoneAndInArabic(app, token)
})
