"""Charts, drawn by Vega-Altair: what a chart shows, charts of answers, and their files."""
