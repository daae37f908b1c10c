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
  const settings = page.getByRole('region', { name: 'How this server was started' })
  await expect(settings.getByText('passwordCost')).toBeVisible()
  await expect(settings.getByText('FILIGREE_ADMIN_PASSWORD')).toBeVisible()
  await expectAccessibleInBoth(page)
  await expectFineOnAPhoneAndInArabic(app, token)
})
