import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectFineOnAPhoneAndInArabic } from './axe.ts'
import { expect, test } from './fixtures.ts'

test.use({ serverArgs: ['--trustedProxies', '127.0.0.1', '--accelRedirect', '/filigree-files/'] })

test('administrators see that a proxy does not send the downloads it should, with the lines to change', async ({
  app,
  page,
  corner,
  token,
}) => {
  await writeFile(join(corner.disk, 'a.txt'), 'alpha')
  await app.open('/settings/diagnostics')
  const findings = page.getByRole('list', { name: 'Diagnostics' }).getByRole('listitem')
  await expect(findings.filter({ hasText: 'Requests arrive directly from' })).toBeVisible()
  const downloads = findings.filter({ hasText: 'Downloads served by the proxy fail' })
  await expect(downloads).toHaveCount(0)
  // Simulates a proxy that passes the header on and does not send files itself.
  await page.setExtraHTTPHeaders({ 'X-Forwarded-For': '192.0.2.7' })
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(findings.filter({ hasText: 'Requests arrive through a trusted proxy' })).toBeVisible()
  await expect(downloads).toContainText(': 206')
  await expect(downloads).toContainText('include nginx-files.conf;')
  await expectFineOnAPhoneAndInArabic(app, token)
})
