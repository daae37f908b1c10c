import { manager } from '../api/accounts.ts'
import type { OwnServer } from '../api/harness.ts'
import { expectAccessibleInBoth, fill } from './axe.ts'
import { expect, test } from './fixtures.ts'

/** Changes the accent colour; the theme follows the system. */
const paint = async (server: OwnServer, branding: object) =>
  expect((await (await manager(server)).change({ branding })).status).toBe(200)

test.afterEach(({ server }) => paint(server, {}))

for (const [what, color] of [
  ['yellow', '#ffff00'],
  ['black', '#000000'],
  ['white', '#ffffff'],
  ['a middle blue', '#2979ff'],
] as const) {
  test(`${what} as accent has no axe violations`, async ({ app, page, server, corner }) => {
    await paint(server, { color })
    await fill(corner)
    await app.openFolder(corner.path)
    await app.row('note.md').click()
    await expectAccessibleInBoth(page)
    await app.open('/settings/global')
    await expect(page.getByLabel('Accent color')).toHaveValue(color)
    await expectAccessibleInBoth(page)
  })
}
