import { workerData } from 'node:worker_threads'
import { fileShelf } from '../../names/open-sqlite.ts'
import { seekTexts } from '../../names/query-texts.ts'
import type { NamesFile } from '../../names/sqlite-store.ts'
import { serveNames } from '../../names/worker-main.ts'
import { Crawl } from './crawl.ts'
import { lookInto } from './look-texts.ts'
import type { FolderSetup } from './setup.ts'
import { TextCrawl } from './text-crawl.ts'

// The thread that keeps an index of the names in a folder.
serveNames<FolderSetup, NamesFile>(workerData as FolderSetup, setup => ({
  shelf: fileShelf(setup),
  source: {
    crawl: (names, hear) => new Crawl(names, setup, hear),
    texts: {
      crawl: names => new TextCrawl(names, setup),
      seek: seekTexts,
      look: (files, wanted) => lookInto(setup, files, wanted),
    },
  },
}))
