/**
 * The page that stands in for a console that is not built. Links start at the root. It loads the style sheet of the
 * mail-link pages.
 */
export const consoleMissingPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cloud security posture API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/pages/style.css">
</head>
<body>
<h1>Cloud security posture API</h1>
<p>This server scans inventories of cloud projects for security problems. Its web console is not built; the HTTP API works.</p>
<h2>Build the console</h2>
<p>Run this in the folder of the project, then reload the page:</p>
<pre><code>npm run build:console</code></pre>
<h2>Use the API</h2>
<ul>
<li><a href="/docs">API documentation</a>: read every operation and try it.</li>
<li><a href="/openapi.json">OpenAPI document</a>: generate a client from it.</li>
<li><a href="/health/ready">Health</a>: check whether the server is ready.</li>
</ul>
<p>Set <code>CSPM_URL</code> to the address of this server and <code>CSPM_API_KEY</code> to your API key. Then list your projects:</p>
<pre><code>curl "$CSPM_URL/projects" -H "X-API-Key: $CSPM_API_KEY"</code></pre>
</body>
</html>
`;
