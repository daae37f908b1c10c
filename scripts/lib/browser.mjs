import { existsSync } from 'node:fs'
import { findProgram, tool } from './repo.mjs'
import { fail, run, runNode, say } from './run.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The path of a Chromium for the browser tests. `FILIGREE_CHROMIUM` names one; otherwise the search path and Playwright's
 * own are looked at, and when there is none, one is installed.
 */
export async function ensureBrowser() {
  const named = process.env.FILIGREE_CHROMIUM
  if (named && !existsSync(named)) fail(`FILIGREE_CHROMIUM names a file that is not there: ${named}`)
  return named || (await findBrowser()) || (await installBrowser())
}

const installed = () => NAMES.map(findProgram).find(path => path !== undefined)

const findBrowser = async () => installed() ?? (await playwrightBrowser())

/** Where Playwright keeps its own Chromium, if that is installed. */
async function playwrightBrowser() {
  const question = "import('@playwright/test').then(p => console.log(p.chromium.executablePath()))"
  const { code, output } = await runNode(['--input-type=module', '--eval', question], { quiet: true })
  const path = output.trim()
  return code === 0 && existsSync(path) ? path : undefined
}

async function installBrowser() {
  say('Installing a browser for the tests…')
  const debian = process.getuid?.() === 0 && findProgram('apt-get') !== undefined
  const { code, output } = debian ? await installFromDebian() : await installFromPlaywright()
  const path = code === 0 ? await findBrowser() : undefined
  return path ?? fail(output.trimEnd(), '', ...browserMissing)
}

async function installFromDebian() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const update = await run('apt-get', ['update', '-q'], { env, quiet: true })
  const packages = ['chromium', 'fonts-dejavu-core']
  const install = await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], {
    env,
    quiet: true,
  })
  return { code: install.code, output: update.output + install.output }
}

const installFromPlaywright = () => runNode([tool.playwright, 'install', 'chromium'], { quiet: true })

const browserMissing = [
  'The browser tests need a Chromium, and it could not be installed; the reason is above.',
  'Install one (on Debian: apt-get install chromium), or say where it is with FILIGREE_CHROMIUM=/path/to/chromium.',
]
