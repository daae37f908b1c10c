import { timeFirst } from './in-page.mjs'
import { settle } from './loads.mjs'
import { PICTURES } from './stage.mjs'

const FEW = 100
const ROW = '[role=row][data-index="3"]'

/** The first menu, palette and viewer of a page that has been idle. @param note takes a key and a figure */
export async function measureOpenings(stage, note) {
  const visit = await stage.visit()
  const { page } = visit
  await visit.open(FEW)
  await settle(page)
  await page.waitForTimeout(IDLE)
  await settle(page)
  const at = { position: { x: 300, y: 10 } }
  note(
    'menu opens',
    await first('[role=menu]', 'contextmenu', () => page.locator(ROW).click({ ...at, button: 'right' })),
  )
  await page.keyboard.press('Escape')
  await page.locator('[role=menu]').waitFor({ state: 'detached' })
  note('palette opens', await first('[role=dialog] [role=combobox]', 'keydown', () => page.keyboard.press('Control+k')))
  await visit.leave()
  await measureViewer(stage, note)

  async function first(selector, type, act) {
    const measured = page.evaluate(timeFirst, { selector, type })
    await act()
    return measured
  }
}

/** Milliseconds in which a page has fetched what is opened next. */
const IDLE = 4000

async function measureViewer(stage, note) {
  const visit = await stage.visit()
  const { page } = visit
  await visit.openFolder(PICTURES)
  await settle(page)
  await page.waitForTimeout(IDLE)
  await page.locator('[role=row][data-index="0"]').click({ position: { x: 300, y: 10 } })
  await settle(page)
  const selector = 'body > main h1'
  const measured = page.evaluate(timeFirst, { selector, type: 'keydown' })
  await page.keyboard.press('Enter')
  note('viewer opens', await measured)
  await visit.leave()
}
