import { expect, type Locator, type Page, type Request } from '@playwright/test'
import { shownName } from '../../shared/bytes.ts'
import { isolated } from '../../web/lib/i18n/isolate.ts'
import { inBucket } from '../api/bucket.ts'
import { encode } from '../api/client.ts'

/** Responses that end with the page. */
const STREAM = /\/api\/events\b/
const JOBS = '/api/jobs'

/** The interface as its user sees it: elements by role and name. */
export class App {
  readonly page: Page
  readonly url: string
  /** The page's pending requests, apart from streams; and the request for jobs, its last one. */
  readonly #awaited = new Set<Request | typeof JOBS>([JOBS])

  /** @param url of the instance, without a trailing slash */
  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    page.on('request', request => {
      if (!STREAM.test(request.url())) this.#awaited.add(request)
      if (request.url().endsWith(JOBS)) this.#awaited.delete(JOBS)
    })
    page.on('requestfinished', request => this.#awaited.delete(request))
    page.on('requestfailed', request => this.#awaited.delete(request))
  }

  /** Opens a URL path below the base URL, which must be encoded. */
  async open(address: string): Promise<void> {
    await this.page.goto(this.url + address)
  }

  /** Opens a folder by its URL and waits for its content. */
  async openFolder(path: string): Promise<void> {
    await this.open(`/files${encode(path)}/`)
    await this.settled()
  }

  /** Waits until a folder is on the screen, full or empty. */
  async settled(): Promise<void> {
    await expect(this.grid.or(this.page.getByText('It feels lonely here…'))).toBeVisible()
  }

  /**
   * Waits until the page has loaded everything it requests on its own after signing in. The last request is for jobs,
   * of which other tests may have left some.
   */
  async atRest(): Promise<void> {
    const shown = () => new Promise<void>(done => requestAnimationFrame(() => setTimeout(done)))
    const missing = async () => {
      await this.page.evaluate(shown)
      return [...this.#awaited].map(one => (one === JOBS ? one : one.url()))
    }
    await expect.poll(missing).toEqual([])
  }

  /** Takes an idle page offline: an interrupted request would be an error in the log. */
  async goOffline(): Promise<void> {
    await this.atRest()
    await this.page.context().setOffline(true)
  }

  get grid(): Locator {
    return this.page.getByRole('grid')
  }

  /** The rows in the document, without the header. */
  get rows(): Locator {
    return this.grid.locator('[role=row][data-index]')
  }

  /** @param name as it is on the disk */
  row(name: string): Locator {
    const label = `Select ${isolated(shownName(name), 'ltr')}`
    return this.rows.filter({ has: this.page.getByRole('checkbox', { name: label, exact: true }) })
  }

  /** Names of the rows in the document, in their order. */
  async names(): Promise<string[]> {
    return namesOf(this.rows)
  }

  /** Names of the selected rows. */
  async selected(): Promise<string[]> {
    return namesOf(this.grid.locator('[role=row][aria-selected=true]'))
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog').or(this.page.getByRole('alertdialog'))
  }

  /** The cell with the field for a name, over its row. On phones names are typed in a dialog. */
  get naming(): Locator {
    return this.grid.getByRole('gridcell').filter({ has: this.page.getByRole('textbox') })
  }

  /** Presses Enter as soon as a dialog has the focus. */
  async confirm(): Promise<void> {
    const isIn = () => document.activeElement?.closest('[role=dialog], [role=alertdialog]') !== null
    await expect.poll(() => this.page.evaluate(isIn)).toBe(true)
    await this.page.keyboard.press('Enter')
  }

  /** Deletes the selection by the key; a bucket has no trash, and asks. */
  async deleteByKey(): Promise<void> {
    await this.page.keyboard.press('Delete')
    await this.confirmWithoutTrash()
  }

  /** Confirms a deletion where there is no trash, and it is asked about. */
  async confirmWithoutTrash(): Promise<void> {
    if (inBucket) await this.confirmDelete()
  }

  /** Confirms a permanent deletion by the keyboard: the focus is on Cancel. */
  async confirmDelete(): Promise<void> {
    await expect(this.dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await this.page.keyboard.press('Tab')
    await this.page.keyboard.press('Enter')
  }

  get breadcrumb(): Locator {
    return this.page.getByRole('navigation', { name: 'Breadcrumb' })
  }

  get uploads(): Locator {
    return this.page.getByRole('region', { name: 'Uploads' })
  }

  /** Waits for the end of the uploads, of which only a summary stays. */
  async uploadsEnd(): Promise<void> {
    await expect(this.uploads.getByRole('progressbar')).toHaveCount(0)
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  /** One of several choices in an open menu. */
  choice(name: string): Locator {
    return this.page.getByRole('menuitemradio', { name }).or(this.page.getByRole('menuitemcheckbox', { name }))
  }

  /** The path of the page, below the base URL, decoded. */
  async address(): Promise<string> {
    const { pathname } = new URL(this.page.url())
    const base = new URL(this.url).pathname.replace(/\/$/, '')
    return decodeURIComponent(pathname.slice(base.length))
  }

  /** Waits for a path below the base URL, given decoded. */
  async isAt(address: string): Promise<void> {
    await expect.poll(() => this.address()).toBe(address)
  }

  async openAccountMenu(): Promise<void> {
    await this.page.getByRole('button', { name: /^Account/ }).click()
  }

  async logOut(): Promise<void> {
    await this.openAccountMenu()
    await this.page.getByRole('menuitem', { name: 'Log out' }).click()
  }

  /** Fills in the login form and sends it. */
  async logIn(password: string, username = 'admin'): Promise<void> {
    await this.page.getByLabel('Username').fill(username)
    await this.page.getByLabel('Password', { exact: true }).fill(password)
    await this.button('Log in').click()
  }
}

function namesOf(rows: Locator): Promise<string[]> {
  return rows
    .getByRole('checkbox')
    .evaluateAll(boxes =>
      boxes.map(box => (box.getAttribute('aria-label') ?? '').replace(/^Select \u2068?|\u2069$/g, '')),
    )
}
