import { workerData } from 'node:worker_threads'
import { sqliteBackend } from '../../names/open-sqlite.ts'
import { seekTexts } from '../../names/query-texts.ts'
import type { NamesFile } from '../../names/sqlite-store.ts'
import { runIndexService } from '../../names/worker-main.ts'
import { Crawl } from './crawl.ts'
import { matchFiles } from './look-texts.ts'
import type { FolderSetup } from './setup.ts'
import { TextCrawl } from './text-crawl.ts'

// The thread that keeps the name index of a folder.
runIndexService<FolderSetup, NamesFile>(workerData as FolderSetup, setup => ({
  backend: sqliteBackend(setup),
  source: {
    crawl: (names, hear) => new Crawl(names, setup, hear),
    texts: {
      crawl: names => new TextCrawl(names, setup),
      seek: seekTexts,
      match: (files, wanted) => matchFiles(setup, files, wanted),
    },
  },
}))
