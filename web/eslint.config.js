import tseslint from 'typescript-eslint';

// What the layers may import: state knows nothing of engine and views, engine nothing of views, and
// views reach workers only through engine.
const layers = [
  { files: ['src/state/**'], patterns: ['**/engine/**', '**/views/**'] },
  { files: ['src/engine/**'], patterns: ['**/views/**'] },
  { files: ['src/views/**'], patterns: ['**/*.worker*', '**/generated/*', '**/runtime/*'] },
];

export default tseslint.config(
  { ignores: ['dist/**', 'src/generated/**', 'node_modules/**', 'runtime/**', '**/*.js', '**/*.mjs'] },
  ...tseslint.configs.strict,
  {
    files: ['**/*.ts', '**/*.tsx'],
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 400 }],
      'max-len': ['error', { code: 100, ignoreUrls: true, ignoreStrings: true }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  ...layers.map(({ files, patterns }) => ({
    files,
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  })),
);
