"""LangChain's messages and RunnableConfig, for node files that import them where LangChain itself is not installed."""
