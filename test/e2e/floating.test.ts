import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { call, json } from '../api/client.ts'
import { expectAccessible } from './axe.ts'
import { expect } from './fixtures.ts'
import { choose, makeFile, network, slowDown, test } from './sending.ts'

/** How many controls the page has under the top bar, and those that something covers once they were scrolled into view. */
async function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      '#content :is(button, a[href], input, select, textarea, [role="switch"])',
    )
    const over: string[] = []
    for (const control of controls) {
      if (!control.checkVisibility() || control.closest('[inert]') || control.matches(':disabled')) continue
      for (const block of ['nearest', 'end'] as const) {
        control.scrollIntoView({ block })
        const { left, top, width, height } = control.getBoundingClientRect()
        const hit = document.elementFromPoint(left + width / 2, top + height / 2)
        const isHit = control.contains(hit) || hit?.closest('label')?.getAttribute('for') === control.id
        if (!isHit) over.push(`${control.tagName} ${control.textContent || control.ariaLabel || control.id} (${block})`)
      }
    }
    return [`of ${controls.length > 20 ? 'many' : controls.length}`, ...over]
  })
}

const SIZES = [
  { width: 1280, height: 720 },
  { width: 320, height: 640 },
]

for (const size of SIZES) {
  test(`with uploads and planned jobs every control can be clicked, ${size.width} px wide`, async ({
    app,
    page,
    corner,
    local,
    server,
    token,
  }) => {
    await page.setViewportSize(size)
    await makeFile(join(local, 'big.bin'), 30_000_000)
    for (const name of ['kept.txt', 'one.bin', 'two.bin', 'three.bin']) await writeFile(join(corner.disk, name), 'kept')
    const runAt = new Date(Date.now() + 3_600_000).toISOString()
    const order = { kind: 'delete', items: [{ from: `${corner.path}/kept.txt` }], runAt }
    const { id } = json(await call(server, '/api/jobs', { method: 'POST', token, body: JSON.stringify(order) }))
    await app.openFolder(corner.path)
    await slowDown(await network(page), 100_000)
    const names = ['one.bin', 'two.bin', 'three.bin', 'big.bin']
    for (const name of names.slice(0, 3)) await makeFile(join(local, name), 10)
    await choose(
      app,
      'Files',
      names.map(name => join(local, name)),
    )
    await expect(app.dialog).toContainText('3 files already exist')
    await page.keyboard.press('Escape')
    await expect(app.uploads).toContainText('big.bin')
    const button = page.getByRole('button', { name: /^Uploads · Jobs · 1 scheduled job/ })
    await expect(button).toHaveAttribute('data-count', '1')
    await expect(page.getByRole('region', { name: 'Jobs' })).toHaveCount(0)
    await button.click()
    await expect(page.getByRole('region', { name: 'Jobs' })).toContainText('Deleting kept.txt')
    await expect.poll(async () => (await covered(page)).slice(1)).toEqual([])
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+x')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('region', { name: 'Paste' })).toBeVisible()
    await expect.poll(async () => (await covered(page)).slice(1)).toEqual([])
    await page.evaluate(() => history.pushState(null, '', `${location.pathname.split('/files')[0]}/settings/security`))
    await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')))
    await expect(page.getByRole('button', { name: 'Log out everywhere' })).toBeVisible()
    await expect(app.uploads).toBeVisible()
    await expect.poll(() => covered(page)).toEqual(['of many'])
    await button.click()
    await expect(page.getByRole('region', { name: 'Jobs' })).toContainText('Deleting kept.txt')
    await expect.poll(() => covered(page)).toEqual(['of many'])
    await expectAccessible(page)
    await call(server, `/api/jobs/${id}/cancel`, { method: 'POST', token })
    await call(server, `/api/jobs/${id}`, { method: 'DELETE', token })
    await app.uploads.getByRole('button', { name: 'Cancel all' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel all' }).click()
    await expect(app.uploads).toHaveCount(0)
  })
}
