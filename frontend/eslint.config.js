import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

// Layers, from the bottom: api, then i18n and model (no DOM, no network), transport, state, ui. Each ban says why.
const ban = (files, patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});
const from = (layers, message) => ({ regex: `(^|/)(${layers})(/|$)`, message });
const noDev = from('dev', 'The fixture must never reach the production bundle.');

const unsafe = ['dangerouslySetInnerHTML', 'innerHTML', 'outerHTML', 'insertAdjacentHTML', 'srcDoc'];

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'src/api/types.gen.ts'] },
  ...tseslint.configs.recommended,
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': hooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'max-lines': ['error', 500],
      'no-eval': 'error',
      'no-restricted-syntax': [
        'error',
        ...unsafe.map((name) => ({
          selector: `:matches(JSXAttribute[name.name="${name}"], MemberExpression[property.name="${name}"])`,
          message: 'Text of models, tools and imports is hostile: it is drawn as text only.',
        })),
        {
          selector: 'CallExpression[callee.property.name="parse"][callee.object.name="JSON"] > Identifier[name=/body|raw/i]',
          message: 'Bytes that were sent are shown by tokens: JSON.parse loses digits and duplicate keys.',
        },
      ],
    },
  },
  ban(['src/api/**'], [from('transport|model|i18n|state|ui|dev', 'The contract knows nobody.')]),
  ban(['src/i18n/**'], [from('transport|model|state|ui|dev', 'Words know nobody.')]),
  ban(['src/model/**'], [
    from('transport|state|ui|dev', 'The model is arithmetic and selectors: no transport, no view.'),
    { regex: '^(react|react-dom|zustand|@tanstack/.*|lucide-react)', message: 'The model runs without a DOM.' },
  ]),
  ban(['src/transport/**'], [from('model|state|ui|dev', 'A transport carries the contract and nothing else.')]),
  ban(['src/state/**'], [from('ui|dev', 'State does not know how it is drawn.')]),
  ban(['src/ui/**'], [from('transport', 'Views ask the state, never the wire.'), noDev]),
  ban(['src/dev/**'], [from('transport|state|ui|model', 'The fixture is a service like the real one.')]),
);
