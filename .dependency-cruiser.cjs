/** A folder imports from the ranks before its own, never from its neighbours. `src/index.ts` is free. */
const ranks = [
  ['core'],
  ['rows'],
  ['stats', 'text'],
  ['models', 'grid', 'world'],
  ['agents', 'judges', 'reports', 'dialects'],
];
ranks.push(['operators', 'sources', 'sinks'], ['pipelines'], ['server'], ['cli']);
const looksLeft = (folder, rank) => ({
  name: `${folder}-looks-left`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...ranks.slice(0, rank).flat()].join('|')})/` },
});
const never = (name, from, to) => ({ name, severity: 'error', from, to });

module.exports = {
  forbidden: [
    ...ranks.flatMap((folders, rank) => folders.map((folder) => looksLeft(folder, rank))),
    never('no-cycles', {}, { circular: true }),
    never(
      'clients-stay-at-the-edge',
      { path: '^src/', pathNot: '^src/(sources|sinks|models|cli)/' },
      { path: 'node_modules/(kafkajs|openai|@opentelemetry)/' },
    ),
    never(
      'no-dev-package',
      { path: '^src/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'unknown'], dependencyTypesNot: ['npm-peer'] }, // optional, loaded on first use
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
