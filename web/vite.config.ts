import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brandPlugin } from './tools/brand-plugin.ts'
import { fetchFirstPlugin } from './tools/fetch-first-plugin.ts'
import { fontPlugin } from './tools/font-plugin.ts'
import { writeTypes } from './tools/i18n-types.ts'
import { iconPlugin } from './tools/icon-plugin.ts'
import { icuPlugin } from './tools/icu-plugin.ts'
import { layersPlugin } from './tools/layers-plugin.ts'
import { pageGroups } from './tools/page-groups.ts'
import { pdfFilesPlugin } from './tools/pdf-files-plugin.ts'
import { preloadGroup, preloadPlugin } from './tools/preload-plugin.ts'
import { serviceWorkerPlugin } from './tools/service-worker-plugin.ts'
import { sizesPlugin } from './tools/sizes-plugin.ts'
import { unusedPartsPlugin } from './tools/unused-parts-plugin.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const PRELOAD = at('./app/preload-calls.ts')

/** Small modules that many parts of the interface import. */
const SMALL = /\/web\/(lib|features\/files\/(api|items))\/[^?]*\.tsx?$/

writeTypes()

export default defineConfig({
  root: at('.'),
  // One build serves under any base URL: the server sets the page's URLs, and chunks refer to each other relatively.
  base: './',
  cacheDir: at('../node_modules/.vite'),
  publicDir: false,
  plugins: [
    icuPlugin(),
    iconPlugin(),
    layersPlugin(),
    unusedPartsPlugin(),
    react(),
    preloadPlugin(PRELOAD),
    fontPlugin('onest-latin-wght-normal'),
    fetchFirstPlugin(at('./lib/fetch-first.ts')),
    pdfFilesPlugin(),
    brandPlugin(at('./app/icon.svg')),
    serviceWorkerPlugin(at('./service-worker/sw.ts')),
    sizesPlugin(at('../dist/meta.json'), at('..')),
  ],
  build: {
    outDir: at('../dist/web'),
    emptyOutDir: true,
    assetsDir: 'assets',
    sourcemap: false,
    modulePreload: {
      polyfill: false,
      // `fetchFirst` gets the chunk, whose imports it finds itself, and, from Vite, its style sheets.
      resolveDependencies: (file, dependencies, { hostType }) => (hostType === 'html' ? dependencies : [file]),
    },
    // The glyphs are inlined into their style sheet; other types must not become data: URLs (content policy).
    assetsInlineLimit: file => file.includes('/glyphs/'),
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            preloadGroup(PRELOAD),
            // The modules of the first page are one file: it compresses better and loads sooner than many small ones.
            { name: 'main', tags: ['$initial'] },
            ...pageGroups(),
            // With a module that needs the first page: otherwise the bundler's runtime would become a file of its own.
            { name: 'tags', test: /\/music-metadata\/|\/read-tags\.ts$/ },
            // Of hundreds of bytes each, and dozens on every page: a file costs more than its bytes.
            { name: 'icons', test: /\/lucide-react\/dist\/esm\/icons\// },
            { name: 'common', test: SMALL, minShareCount: 4, maxModuleSize: 3000 },
          ],
        },
      },
    },
    target: ['chrome123', 'firefox120', 'safari17.5'],
  },
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `__STATIC_URL__/${file}` : { relative: true }),
  },
})
