import { cpSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url))
const ICON = fileURLToPath(new URL('../../web/app/icon.svg', import.meta.url))
const BASE = process.env.SITE_BASE ?? '/'

/** The table of contents of docs/README.md: headings with their lists of links. */
function readContents() {
  const sections = readFileSync(join(DOCS, 'README.md'), 'utf8').split(/^## /m).slice(1)
  return sections.map(section => ({
    text: section.slice(0, section.indexOf('\n')),
    items: [...section.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, text, path]) => ({
      text,
      link: `/${path.replace(/README\.md$/, '').replace(/\.md$/, '')}`,
    })),
  }))
}

/** The anchors that links between documents name, which are those of forges. */
function anchorOf(heading) {
  const kept = heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
  return kept.replaceAll(' ', '-')
}

/** The page of a folder is its README.md in the repository, and the address of the folder on the site. */
function linksToFolders(markdown) {
  markdown.core.ruler.push('links-to-folders', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? (token.attrGet('href') ?? '') : ''
      if (/^(?![a-z]+:)(?:.*\/)?README\.md(?=#|$)/i.test(href))
        token.attrSet('href', href.replace(/README\.md/, '').replace(/^(?=#|$)/, './'))
    }
  })
}

/**
 * Links to files that are no pages: those of docs/ are served as they are, others of the project become plain text, since
 * the site does not have them.
 */
function linksToFiles(markdown) {
  const placeOf = (href, env) => {
    if (/^(?:[a-z]+:|#|\/)/i.test(href)) return undefined
    const place = relative(DOCS, join(dirname(env.path), href))
    const isPage = /\.md(?:#|$)/.test(href) && !place.startsWith('..')
    return isPage ? undefined : place
  }
  markdown.core.ruler.push('links-to-files', ({ tokens, env }) => {
    for (const { children } of tokens) {
      const opened = []
      for (const token of children ?? []) {
        const place = token.type === 'link_open' ? placeOf(token.attrGet('href') ?? '', env) : undefined
        const isLost = place !== undefined && !FILES.some(folder => place.startsWith(folder))
        if (place !== undefined && !isLost) {
          token.attrSet('href', `${BASE}${place}`)
          token.attrSet('target', '_self')
        }
        if (token.type === 'link_open') opened.push(isLost)
        if (token.type === 'link_close' ? opened.pop() : isLost)
          Object.assign(token, { type: 'html_inline', tag: '', content: '' })
      }
    }
  })
}

/** Folders of docs/ whose files are on the site as they are. */
const FILES = ['proxies/']

export default defineConfig({
  title: 'Filigree',
  description: 'A self-hosted web file manager',
  srcDir: '../docs',
  outDir: '../dist/site',
  cacheDir: './node_modules/.vitepress',
  cleanUrls: true,
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  base: BASE,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}icon.svg` }]],
  markdown: {
    anchor: { slugify: anchorOf },
    config(markdown) {
      linksToFiles(markdown)
      linksToFolders(markdown)
    },
    languageAlias: { svg: 'xml', netrc: 'ini', ldif: 'yaml' },
  },
  // Of pages none may be dead; test/docs.test.ts looks for the files.
  ignoreDeadLinks: [/\/proxies\//],
  buildEnd({ outDir }) {
    cpSync(ICON, join(outDir, 'icon.svg'))
    for (const folder of FILES) cpSync(join(DOCS, folder), join(outDir, folder), { recursive: true })
  },
  vite: { build: { chunkSizeWarningLimit: 1500 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: readContents(),
  },
})
