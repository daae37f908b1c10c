import { timeFirst } from './in-page.mjs'
import { settle } from './loads.mjs'
import { PICTURES } from './stage.mjs'

const FEW = 100
/** Milliseconds in which a page has fetched what is opened next. */
const IDLE = 4000

/** The first menu, palette and viewer of a page that has been idle. @param note takes a key and a figure */
export async function measureOpenings(stage, note) {
  const menu = page => rowAt(page, 3).click({ position: AT, button: 'right' })
  await open(
    stage,
    visit => visit.open(FEW),
    '[role=menu]',
    'contextmenu',
    menu,
    took => note('menu opens', took),
  )
  const palette = page => page.keyboard.press('Control+k')
  const field = '[role=dialog] [role=combobox]'
  await open(
    stage,
    visit => visit.open(FEW),
    field,
    'keydown',
    palette,
    took => note('palette opens', took),
  )
  const viewer = page => page.keyboard.press('Enter')
  const pictures = async visit => {
    await visit.openFolder(PICTURES)
    await rowAt(visit.page, 0).click({ position: AT })
  }
  await open(stage, pictures, 'body > main h1', 'keydown', viewer, took => note('viewer opens', took))
}

const AT = { x: 300, y: 10 }
const rowAt = (page, index) => page.locator(`[role=row][data-index="${index}"]`)

/** Opens a page, lets it be idle, and records how long the act takes until the selector is painted. */
async function open(stage, prepare, selector, type, act, record) {
  const visit = await stage.visit()
  const { page } = visit
  await prepare(visit)
  await settle(page)
  await page.waitForTimeout(IDLE)
  await settle(page)
  await page.evaluate(timeFirst, { selector, type })
  await act(page)
  record(await page.evaluate(() => globalThis.watched.first))
  await visit.leave()
}
